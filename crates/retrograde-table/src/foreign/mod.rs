//! Files of values that others have made: a byte a value, as they are or packed as xz.

pub(crate) mod bytes;
mod xz;
