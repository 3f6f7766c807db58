// Solves the games for the tests of the page. web/test does this once for all files:
// node tests/tables.mjs DIRECTORY.

import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';

const GAMES = [
  'tactics:3x3',
  'touchdown:4x4',
  'touchdown:3x3',
  'pushfight:mini,pushers=1,pawns=1',
  'pushfight:mini',
];

/** Puts tables into an empty directory: copies of existing ones, else newly solved ones. */
export function fill(directory) {
  const made = process.env.RETROGRADE_TEST_TABLES;
  if (made) cpSync(made, directory, { recursive: true });
  else execFileSync(process.env.RETROGRADE, ['solve', ...GAMES, '--tables', directory], { stdio: 'ignore' });
}

if (import.meta.filename === process.argv[1]) fill(process.argv[2]);
