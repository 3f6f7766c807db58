// The messages between the page and the worker of a site's game.

import type { ModuleAnswer, Question } from '../api/rules-module';
import type { Failure } from './errors';
import type { FilePart } from './incoming-file';

/** All that a worker needs to open a game. */
export interface Opening {
  /** The folder of the site. */
  base: string;
  /** The text of site.json. */
  index: string;
  game: string;
  /** The address of the ranges that opening the game reads; null where there is no such file. */
  ranges: string | null;
  /** Folders of all games of the site: what is kept of others is removed. */
  folders: string[];
  /** Whether the game's files are fetched whole. */
  whole: boolean;
  /** Bytes of files that the module keeps. */
  limit: number;
}

export type SiteTask = { kind: 'open'; opening: Opening } | { kind: 'ask'; question: Question };

/** The parts of the module's file, which come while a game opens, and its end; or why it does not come. */
export type ModuleTold = FilePart | { end: true } | { failure: Failure };

export type SiteSent = { id: number; task: SiteTask } | { module: ModuleTold };

/** The work under way: ranges that are asked for, and bytes that came of those that were. */
export interface Traffic {
  asked: number;
  wanted: number;
  came: number;
}

export type SiteTold =
  | { id: number; answer: ModuleAnswer }
  | { id: number; failure: Failure }
  | { traffic: Traffic; requests: number; bytes: number; held: HeldBytes | null; memory: number };

/** How full the module's store of file bytes is. */
export interface HeldBytes {
  held: number;
  limit: number;
  ranges: number;
}
