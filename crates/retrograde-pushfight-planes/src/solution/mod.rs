pub(crate) mod open;
