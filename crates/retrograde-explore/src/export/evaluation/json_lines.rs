//! Rows as JSON, one object per line.

use super::row::EvaluationRow;

/// Writes the rows to a file.
pub(super) fn bytes(rows: &[&EvaluationRow]) -> Result<Vec<u8>, crate::Error> {
    let mut bytes = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut bytes, row).map_err(std::io::Error::from)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}
