//! The routes beside the API: the explorer's page, the state of the server, the description of all
//! routes.

#[cfg(test)]
mod description;
pub(crate) mod health;
pub(crate) mod openapi;
pub(crate) mod pages;
