// Names for the answers. Their fields come from schema.ts, which is generated from docs/openapi.json.

import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type Seat = Schemas['player'];
export type Outcome = Schemas['outcome'];
export type Verdict = Schemas['verdict'];
export type Count = Schemas['count'];

export type GameList = Schemas['GameList'];
export type GameSummary = Schemas['GameSummary'];
export type GameAnswer = Schemas['GameAnswer'];
export type Known = Schemas['known'];
export type Rules = Schemas['rules'];
export type Plan = Schemas['plan'];
export type Statistics = Schemas['statistics'];

export type TurnValue = Schemas['turn'];
export type Probe = Schemas['probe'];
export type ProbeList = Schemas['BatchAnswer'];
export type Pressure = Schemas['pressure'];
export type HoldingTurn = Schemas['holding_turn'];
export type Shade = Schemas['shade'];
export type StepValue = Schemas['step'];
export type Steps = Schemas['steps'];
export type Refusal = Schemas['refusal'];
export type Line = Schemas['line'];

export type Found = Schemas['found'];
export type FoundList = Schemas['FoundList'];
export type Puzzle = Schemas['puzzle'];
export type PuzzleList = Schemas['PuzzleList'];
export type PuzzleDepths = Schemas['PuzzleDepths'];

export type PlayedTurn = Schemas['annotation'];
export type PlayedGame = Schemas['PlayedGame'];
/** How the squares of turns are named: as the board shows them, as the player who moves sees them, or as a record
 * that does not say so. */
export type Coordinates = NonNullable<PlayedGame['coordinates']>;
export type AnnotatedGame = Schemas['AnnotatedGame'];

export type View = Schemas['view'];
export type Square = NonNullable<View['squares'][number]>;
export type Piece = Schemas['piece'];
export type Mark = View['marks'][number];
export type Motion = Schemas['motion'];
export type PiecesToPlace = View['to_place'][number];

type GamePath = '/api/v1/games/{game}';
type Queries<Path> = Path extends { get: { parameters: { query?: infer Query } } } ? Query : never;

/** The query of a question about a game, such as `view`. */
export type QueryOf<Question extends string> = `${GamePath}/${Question}` extends infer Path extends
  keyof paths
  ? NonNullable<Queries<paths[Path]>>
  : never;
