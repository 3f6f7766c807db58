//! Apache Parquet, in row groups of some hundred thousand rows, compressed with zstd. Columns are written
//! straight from rows, without Arrow, so that the library builds quickly. Parquet has no fixed-size lists,
//! so Arrow metadata marks the planes as one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::data_set::{Sink, outcome_word};
use super::output_file::OutputFile;
use crate::{Error, Row, RowShape};

/// The column of planes in a schema.
pub(super) const PLANES: &str =
    "required group planes (LIST) { repeated group list { required int32 element (INTEGER(8, false)); } }";

const ROWS_PER_GROUP: usize = 1 << 18;
/// Rows whose planes are turned into a column's values at a time.
const ROWS_PER_BATCH: usize = 1 << 12;

pub(super) struct Parquet {
    file: SerializedFileWriter<OutputFile>,
    plane_len: usize,
    rows: Rows,
}

/// The columns of the rows that are not written yet.
#[derive(Default)]
struct Rows {
    index: Vec<i64>,
    position: Vec<ByteArray>,
    outcome: Vec<ByteArray>,
    outcome_known: Vec<i16>,
    turns: Vec<i32>,
    turns_known: Vec<i16>,
    planes: Vec<u8>,
}

pub(super) fn failed(error: ParquetError) -> Error {
    Error::Io(std::io::Error::other(format!("writing Parquet failed: {error}")))
}

impl Parquet {
    pub(super) fn create(path: &Path, game: &str, shape: &RowShape) -> Result<Parquet, Error> {
        let plane_len = shape.size();
        let schema = format!(
            "message positions {{
                required int64 index (INTEGER(64, false));
                required binary position (STRING);
                optional binary outcome (STRING);
                optional int32 turns (INTEGER(16, false));
                {PLANES}
            }}"
        );
        let about = [
            ("game", game.to_owned()),
            ("plane_names", shape.planes.join(",")),
            ("plane_shape", format!("{},{},{}", shape.planes.len(), shape.rows, shape.columns)),
            ("perspective", "side to move; turns of both players".to_owned()),
        ];
        let arrow = ("ARROW:schema", arrow_schema(plane_len, &about)?);
        let properties = properties(about.into_iter().chain([arrow])).map_err(failed)?;
        let schema = Arc::new(parse_message_type(&schema).map_err(failed)?);
        let file =
            SerializedFileWriter::new(OutputFile::create(path)?, schema, properties).map_err(failed)?;
        Ok(Parquet { file, plane_len, rows: Rows::default() })
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.file.next_row_group()?;
        column::<Int64Type>(&mut group, &rows.index, &[], &[])?;
        column::<ByteArrayType>(&mut group, &rows.position, &[], &[])?;
        column::<ByteArrayType>(&mut group, &rows.outcome, &rows.outcome_known, &[])?;
        column::<Int32Type>(&mut group, &rows.turns, &rows.turns_known, &[])?;
        plane_column(&mut group, &rows.planes, self.plane_len)?;
        group.close()?;
        Ok(())
    }
}

/// The properties of a file with this metadata.
pub(super) fn properties(
    about: impl IntoIterator<Item = (&'static str, String)>,
) -> Result<Arc<WriterProperties>, ParquetError> {
    let about = about.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(about));
    Ok(Arc::new(properties.build()))
}

/// Writes the next column of a group, with its definition and repetition levels if it has any. `values` has only
/// the values that are defined.
pub(super) fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
    defined: &[i16],
    repeated: &[i16],
) -> Result<(), ParquetError> {
    let mut column = next_column(group)?;
    let levels = [defined, repeated].map(|levels| (!levels.is_empty()).then_some(levels));
    column.typed::<T>().write_batch(values, levels[0], levels[1])?;
    column.close()
}

fn next_column<'a, W: Write + Send>(
    group: &'a mut SerializedRowGroupWriter<'_, W>,
) -> Result<SerializedColumnWriter<'a>, ParquetError> {
    group.next_column()?.ok_or_else(|| ParquetError::General("the schema has too few columns".to_owned()))
}

/// Writes the last column of a group: a list of `length` numbers for each row.
fn plane_column(
    group: &mut SerializedRowGroupWriter<'_, OutputFile>,
    planes: &[u8],
    length: usize,
) -> Result<(), ParquetError> {
    let mut column = next_column(group)?;
    for rows in planes.chunks(ROWS_PER_BATCH * length) {
        let values: Vec<i32> = rows.iter().map(|&value| value.into()).collect();
        let repeated: Vec<i16> = (0..rows.len()).map(|at| i16::from(at % length > 0)).collect();
        column.typed::<Int32Type>().write_batch(&values, Some(&vec![1; rows.len()]), Some(&repeated))?;
    }
    column.close()
}

/// The schema in Arrow's format (`Schema.fbs` and `Message.fbs`), in base 64. Readers take the types of the
/// columns and the metadata of the table from it.
fn arrow_schema(plane_len: usize, about: &[(&str, String)]) -> Result<String, Error> {
    /// A type of Arrow: its number in the union `Type`, and the slots of its table.
    enum Type {
        Unsigned(i32),
        Text,
        List(i32),
    }
    fn field<'a>(
        buffer: &mut FlatBufferBuilder<'a>,
        (name, nullable): (&str, bool),
        kind: &Type,
        children: &[WIPOffset<TableFinishedWIPOffset>],
    ) -> WIPOffset<TableFinishedWIPOffset> {
        let name = buffer.create_string(name);
        let children = buffer.create_vector(children);
        let start = buffer.start_table();
        let number: u8 = match *kind {
            Type::Unsigned(bits) => {
                buffer.push_slot_always(4, bits);
                2
            }
            Type::Text => 5,
            Type::List(length) => {
                buffer.push_slot_always(4, length);
                16
            }
        };
        let kind = buffer.end_table(start);
        let start = buffer.start_table();
        buffer.push_slot_always(4, name);
        buffer.push_slot_always(6, nullable);
        buffer.push_slot_always(8, number);
        buffer.push_slot_always(10, kind);
        buffer.push_slot_always(14, children);
        buffer.end_table(start)
    }
    let length = i32::try_from(plane_len).map_err(|_| {
        Error::Unsupported(format!("{plane_len} numbers are too many for the planes of one row"))
    })?;
    let buffer = &mut FlatBufferBuilder::new();
    let element = field(buffer, ("element", false), &Type::Unsigned(8), &[]);
    let fields = [
        field(buffer, ("index", false), &Type::Unsigned(64), &[]),
        field(buffer, ("position", false), &Type::Text, &[]),
        field(buffer, ("outcome", true), &Type::Text, &[]),
        field(buffer, ("turns", true), &Type::Unsigned(16), &[]),
        field(buffer, ("planes", false), &Type::List(length), &[element]),
    ];
    let fields = buffer.create_vector(&fields);
    let mut pairs = Vec::new();
    for (key, value) in about {
        let [key, value] = [key, &value[..]].map(|text| buffer.create_string(text));
        let start = buffer.start_table();
        buffer.push_slot_always(4, key);
        buffer.push_slot_always(6, value);
        pairs.push(buffer.end_table(start));
    }
    let pairs = buffer.create_vector(&pairs);
    let start = buffer.start_table();
    buffer.push_slot_always(6, fields);
    buffer.push_slot_always(8, pairs);
    let schema = buffer.end_table(start);
    let start = buffer.start_table();
    // Version 5 of the format; a schema follows.
    buffer.push_slot_always(4, 4_i16);
    buffer.push_slot_always(6, 1_u8);
    buffer.push_slot_always(8, schema);
    let message = buffer.end_table(start);
    buffer.finish_minimal(message);
    let mut metadata = buffer.finished_data().to_vec();
    metadata.resize(metadata.len().next_multiple_of(8), 0);
    let length = (metadata.len() as u32).to_le_bytes();
    Ok(STANDARD.encode([&u32::MAX.to_le_bytes(), &length, &metadata[..]].concat()))
}

impl Sink for Parquet {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        assert_eq!(row.planes.len(), self.plane_len, "a row has planes of another shape");
        let rows = &mut self.rows;
        rows.index.push(row.index as i64);
        rows.position.push(ByteArray::from(row.position.as_bytes().to_vec()));
        let outcome = outcome_word(row.knowledge);
        rows.outcome_known.push(i16::from(!outcome.is_empty()));
        if !outcome.is_empty() {
            rows.outcome.push(ByteArray::from(outcome.as_bytes().to_vec()));
        }
        rows.turns_known.push(i16::from(row.knowledge.turns().is_some()));
        rows.turns.extend(row.knowledge.turns().map(|turns| i32::from(turns.0)));
        rows.planes.extend(row.planes);
        if rows.index.len() >= ROWS_PER_GROUP {
            self.write_group().map_err(failed)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, Error> {
        if !self.rows.index.is_empty() {
            self.write_group().map_err(failed)?;
        }
        Ok(vec![self.file.into_inner().map_err(failed)?.finish()?])
    }
}
