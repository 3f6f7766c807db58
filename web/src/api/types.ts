// Names for the types of answers in schema.ts, which is generated from docs/openapi.json.

import type { components, paths } from './schema';

type Schemas = components['schemas'];

export type Seat = Schemas['Player'];
export type Outcome = Schemas['Outcome'];
export type Verdict = Schemas['Verdict'];
export type Count = Schemas['Count'];

export type GameList = Schemas['GameList'];
export type GameSummary = Schemas['GameSummary'];
export type GameAnswer = Schemas['GameAnswer'];
export type Known = Schemas['Known'];
export type Rules = Schemas['Rules'];
export type Plan = Schemas['Plan'];
export type Statistics = Schemas['Statistics'];

export type TurnValue = Schemas['TurnValue'];
export type Probe = Schemas['Probe'];
export type ProbeList = Schemas['BatchAnswer'];
export type Pressure = Schemas['Pressure'];
export type HoldingTurn = Schemas['HoldingTurn'];
export type Shade = Schemas['ShadeOfDraw'];
export type StepValue = Schemas['StepValue'];
export type Steps = Schemas['Steps'];
export type Refusal = Schemas['Refusal'];
export type Line = Schemas['Line'];

export type Found = Schemas['Found'];
export type FoundList = Schemas['FoundList'];
export type Puzzle = Schemas['Puzzle'];
export type PuzzleList = Schemas['PuzzleList'];
export type PuzzleDepths = Schemas['PuzzleDepths'];

export type PlayedTurn = Schemas['Annotation'];
export type PlayedGame = Schemas['PlayedGame'];
/** The coordinates of turns: the board's, the mover's, or undeclared, as in some records. */
export type Coordinates = NonNullable<PlayedGame['coordinates']>;
export type AnnotatedGame = Schemas['AnnotatedGame'];

export type View = Schemas['View'];
export type Square = NonNullable<View['squares'][number]>;
export type Piece = Schemas['ViewPiece'];
export type Mark = View['marks'][number];
export type Motion = Schemas['ViewMotion'];
export type PiecesToPlace = View['to_place'][number];

type GamePath = '/api/v1/games/{game}';
type Queries<Path> = Path extends { get: { parameters: { query?: infer Query } } } ? Query : never;

/** The query of a request about a game, such as `view`. */
export type QueryOf<Question extends string> = `${GamePath}/${Question}` extends infer Path extends
  keyof paths
  ? NonNullable<Queries<paths[Path]>>
  : never;
