//! The tests of the command line as one program, since each program would link the whole library
//! and compile JSON schemas again.

mod common;

mod bench;
mod boards;
mod cards;
mod certificate;
mod cluster;
mod commands;
mod engine;
mod engine_json;
mod evaluation;
mod help;
mod json;
mod leftovers;
mod manual;
mod many_turns;
mod matches;
mod new;
mod outputs;
mod pages;
mod play;
mod profiles;
mod readme;
mod records;
mod serve;
mod site;
mod survey;
mod table_folders;
mod terminal;
mod texts;
mod usage;
mod wins;

// The tests of the template refer to the crate that `retrograde new` creates.
extern crate self as my_game;
use new::{MyGame, registry};
