//! The tests of the games with all that can be done with them, as one program: each would have the
//! solvers of all games linked, and much compiled, once more.

mod archives;
mod damage;
mod faults;
mod names;
mod published;
mod site;
