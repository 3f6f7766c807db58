//! Rows as Apache Parquet: one row per position, with its turns as a list of structures. Columns are written
//! straight from rows, as in data sets.

use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::set::{EvaluationRow, Split, TurnRow};
use crate::export::parquet::{PLANES, column, failed, properties};
use crate::{Error, OpenGame};

/// The schema; `PLANES` is replaced by the column of planes.
const SCHEMA: &str = "message positions {
    required int64 index (INTEGER(64, false));
    required binary position (STRING);
    required binary orbit (STRING);
    required binary rule (STRING);
    required binary outcome (STRING);
    optional int32 turns (INTEGER(16, false));
    PLANES
    required group turns_available (LIST) {
        repeated group list {
            required group element {
                required binary turn (STRING);
                required binary turn_position (STRING);
                required binary turn_outcome (STRING);
                optional int32 turn_turns (INTEGER(16, false));
            }
        }
    }
}";

/// Writes the rows to a file.
pub(super) fn bytes(game: &OpenGame, split: Split, rows: &[&EvaluationRow]) -> Result<Vec<u8>, Error> {
    file(game, split, rows).map_err(failed)
}

fn file(game: &OpenGame, split: Split, rows: &[&EvaluationRow]) -> Result<Vec<u8>, ParquetError> {
    let shape = game.row_shape();
    let has_planes = !shape.planes.is_empty();
    let mut about = vec![
        ("game", game.name().to_owned()),
        ("split", split.word().to_owned()),
        ("perspective", "side to move; turns of both players".to_owned()),
    ];
    if has_planes {
        about.push(("plane_names", shape.planes.join(",")));
        about.push(("plane_shape", format!("{},{},{}", shape.planes.len(), shape.rows, shape.columns)));
    }
    let schema = SCHEMA.replace("PLANES", if has_planes { PLANES } else { "" });
    let schema = Arc::new(parse_message_type(&schema)?);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties(about)?)?;
    let mut group = file.next_row_group()?;
    let index = |row: &&EvaluationRow| row.index.0 as i64;
    column::<Int64Type>(&mut group, &rows.iter().map(index).collect::<Vec<_>>(), &[], &[])?;
    let texts: [fn(&EvaluationRow) -> &str; 4] =
        [|row| &row.position, |row| &row.orbit, |row| row.rule.word(), |row| row.outcome.word()];
    for text in texts {
        let values: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(text(row))).collect();
        column::<ByteArrayType>(&mut group, &values, &[], &[])?;
    }
    let turns: Vec<i32> = rows.iter().filter_map(|row| row.turns.map(i32::from)).collect();
    let known: Vec<i16> = rows.iter().map(|row| row.turns.is_some().into()).collect();
    column::<Int32Type>(&mut group, &turns, &known, &[])?;
    if has_planes {
        planes(&mut group, rows)?;
    }
    lists(&mut group, rows)?;
    group.close()?;
    file.into_inner()
}

/// Writes the column of planes, a list of numbers for each row.
fn planes(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    rows: &[&EvaluationRow],
) -> Result<(), ParquetError> {
    let (mut values, mut repeated) = (Vec::new(), Vec::new());
    for row in rows {
        let begin = values.len();
        values.extend(row.planes.iter().flatten().flatten().map(|&value| i32::from(value)));
        repeated.extend((begin..values.len()).map(|at| i16::from(at > begin)));
    }
    column::<Int32Type>(group, &values, &vec![1; values.len()], &repeated)
}

/// Writes the columns of the lists of turns.
fn lists(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    rows: &[&EvaluationRow],
) -> Result<(), ParquetError> {
    // A position without turns would have definition level 0, but no set has any.
    let (mut defined, mut repeated, mut turns_defined) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        if row.turns_available.is_empty() {
            defined.push(0);
            turns_defined.push(0);
            repeated.push(0);
        }
        for (place, turn) in row.turns_available.iter().enumerate() {
            defined.push(1);
            turns_defined.push(1 + i16::from(turn.turn_turns.is_some()));
            repeated.push(i16::from(place > 0));
        }
    }
    let all = || rows.iter().flat_map(|row| &row.turns_available);
    let texts: [fn(&TurnRow) -> &str; 3] =
        [|turn| &turn.turn, |turn| &turn.turn_position, |turn| turn.turn_outcome.word()];
    for text in texts {
        let values: Vec<ByteArray> = all().map(|turn| ByteArray::from(text(turn))).collect();
        column::<ByteArrayType>(group, &values, &defined, &repeated)?;
    }
    let turns: Vec<i32> = all().filter_map(|turn| turn.turn_turns.map(i32::from)).collect();
    column::<Int32Type>(group, &turns, &turns_defined, &repeated)
}
