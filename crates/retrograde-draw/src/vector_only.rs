//! Replacements for PNG and GIF without the feature `raster`: they return an error.

use std::time::Duration;

use crate::{DrawError, Size};

/// Always fails: pixels need the feature `raster`.
///
/// # Errors
/// Always.
pub fn png(_svg: &str, _size: Size) -> Result<Vec<u8>, DrawError> {
    Err(DrawError::VectorOnly { format: ".png" })
}

/// Always fails: pixels need the feature `raster`.

///
/// # Errors
/// Always.
pub fn gif<S: AsRef<str>>(_frames: &[(S, Duration)], _width: u32) -> Result<Vec<u8>, DrawError> {
    Err(DrawError::VectorOnly { format: ".gif" })
}
