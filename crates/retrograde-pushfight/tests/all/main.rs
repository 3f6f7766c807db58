//! Tests of Push Fight's rules, notation and numberings, as one program.

mod common;
mod guide;
mod interrupt;
mod motions;
mod notation;
mod numberings;
mod rules;
mod steps;
mod uneven;
