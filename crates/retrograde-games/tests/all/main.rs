//! The integration tests as one program. Separate ones would compile and link the solvers of all games
//! again.

mod archives;
mod damage;
mod faults;
mod known;
mod names;
mod published;
mod site;
