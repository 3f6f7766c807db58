pub(crate) mod numbering;
pub(crate) mod partition;
pub(crate) mod sparse;
