//! Apache Parquet, in row groups of some hundred thousand rows, compressed with zstd. Written by
//! columns straight from rows, without Arrow, so that the library is quick to build.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::output_file::OutputFile;
use super::sink::{Sink, outcome_word, plane_len};
use crate::{Error, Row, RowShape};

const ROWS_A_GROUP: usize = 1 << 18;

pub(super) struct Parquet {
    file: SerializedFileWriter<OutputFile>,
    plane_len: usize,
    index: Vec<i64>,
    position: Vec<ByteArray>,
    outcome: Vec<ByteArray>,
    outcome_known: Vec<i16>,
    turns: Vec<i32>,
    turns_known: Vec<i16>,
    planes: Vec<FixedLenByteArray>,
}

fn failed(error: ParquetError) -> Error {
    Error::Io(std::io::Error::other(format!("writing Parquet failed: {error}")))
}

impl Parquet {
    pub(super) fn create(path: &Path, game: &str, shape: &RowShape) -> Result<Parquet, Error> {
        let plane_len = plane_len(shape);
        let schema = format!(
            "message positions {{
                required int64 index (INTEGER(64, false));
                required binary position (STRING);
                optional binary outcome (STRING);
                optional int32 turns (INTEGER(16, false));
                required fixed_len_byte_array({plane_len}) planes;
            }}"
        );
        let about = [
            ("game", game.to_owned()),
            ("plane_names", shape.planes.join(",")),
            ("plane_shape", format!("{},{},{}", shape.planes.len(), shape.rows, shape.columns)),
            ("perspective", "side to move; turns of both players".to_owned()),
        ];
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).map_err(failed)?))
            .set_key_value_metadata(Some(
                about.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect(),
            ))
            .build();
        let schema = Arc::new(parse_message_type(&schema).map_err(failed)?);
        let file = SerializedFileWriter::new(OutputFile::create(path)?, schema, Arc::new(properties))
            .map_err(failed)?;
        Ok(Parquet {
            file,
            plane_len,
            index: Vec::new(),
            position: Vec::new(),
            outcome: Vec::new(),
            outcome_known: Vec::new(),
            turns: Vec::new(),
            turns_known: Vec::new(),
            planes: Vec::new(),
        })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        column::<Int64Type>(&mut group, &self.index, None)?;
        column::<ByteArrayType>(&mut group, &self.position, None)?;
        column::<ByteArrayType>(&mut group, &self.outcome, Some(&self.outcome_known))?;
        column::<Int32Type>(&mut group, &self.turns, Some(&self.turns_known))?;
        column::<FixedLenByteArrayType>(&mut group, &self.planes, None)?;
        group.close()?;
        self.index.clear();
        self.position.clear();
        self.outcome.clear();
        self.outcome_known.clear();
        self.turns.clear();
        self.turns_known.clear();
        self.planes.clear();
        Ok(())
    }
}

/// Writes the next column of a group; `known` has a 1 for every row that has a value, and `values`
/// only those.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, OutputFile>,
    values: &[T::T],
    known: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut column = group
        .next_column()?
        .ok_or_else(|| ParquetError::General("the schema has too few columns".to_owned()))?;
    column.typed::<T>().write_batch(values, known, None)?;
    column.close()
}

impl Sink for Parquet {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        assert_eq!(row.planes.len(), self.plane_len, "a row has planes of another shape");
        self.index.push(row.index as i64);
        self.position.push(ByteArray::from(row.position.as_bytes().to_vec()));
        let outcome = outcome_word(row.knowledge);
        self.outcome_known.push(i16::from(!outcome.is_empty()));
        if !outcome.is_empty() {
            self.outcome.push(ByteArray::from(outcome.as_bytes().to_vec()));
        }
        self.turns_known.push(i16::from(row.knowledge.turns().is_some()));
        self.turns.extend(row.knowledge.turns().map(|turns| i32::from(turns.0)));
        self.planes.push(FixedLenByteArray::from(row.planes.to_vec()));
        if self.index.len() >= ROWS_A_GROUP {
            self.write_group().map_err(failed)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, Error> {
        if !self.index.is_empty() {
            self.write_group().map_err(failed)?;
        }
        Ok(vec![self.file.into_inner().map_err(failed)?.finish()?])
    }
}
