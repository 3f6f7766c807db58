//! The routes outside of the API: the explorer's page, health checks, and the description of all routes.

#[cfg(test)]
mod description;
pub(crate) mod health;
pub(crate) mod openapi;
pub(crate) mod pages;
