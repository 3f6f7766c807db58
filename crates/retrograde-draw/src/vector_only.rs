//! Instead of PNG and GIF where the feature `raster` is off: a refusal that says so.

use std::time::Duration;

use crate::{DrawError, Size};

/// Refuses: pixels need the feature `raster`.
///
/// # Errors
/// Always.
pub fn png(_svg: &str, _size: Size) -> Result<Vec<u8>, DrawError> {
    Err(DrawError::VectorOnly { format: ".png" })
}

/// Refuses: pixels need the feature `raster`.
///
/// # Errors
/// Always.
pub fn gif<S: AsRef<str>>(_frames: &[(S, Duration)], _width: u32) -> Result<Vec<u8>, DrawError> {
    Err(DrawError::VectorOnly { format: ".gif" })
}
