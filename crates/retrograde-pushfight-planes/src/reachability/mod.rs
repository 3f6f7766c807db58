pub(crate) mod bitmap;
pub(crate) mod occurring;
