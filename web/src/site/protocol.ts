// The messages between the page and the worker of a site's game.

import type { ModuleAnswer, Question } from '../api/rules-module';
import type { Failure } from './errors';
import type { FilePart } from './incoming-file';
import type { SiteExtra } from './index-file';

/** What a worker needs to open a game. */
export interface Opening {
  /** The folder of the site. */
  base: string;
  /** The text of site.json. */
  index: string;
  game: string;
  /** The opening file; null if there is none. */
  ranges: SiteExtra | null;
  /** The folders of all games of the site; cached ranges of other folders are deleted. */
  folders: string[];
  /** Whether to download the game's files whole. */
  whole: boolean;
  /** The bytes of files that the module keeps in memory. */
  limit: number;
}

export type SiteTask = { kind: 'open'; opening: Opening } | { kind: 'ask'; question: Question };

/** A part of the module's file, its end, or its failure. */
export type ModuleMessage = FilePart | { end: true } | { failure: Failure };

export type SiteSent = { id: number; task: SiteTask } | { module: ModuleMessage };

/** Downloads in progress: the number of ranges, their bytes, and the bytes that have arrived. */
export interface Traffic {
  asked: number;
  wanted: number;
  came: number;
}

export type SiteMessage =
  | { id: number; answer: ModuleAnswer }
  | { id: number; failure: Failure }
  | { traffic: Traffic; requests: number; bytes: number; held: HeldBytes | null; memory: number };

/** The bytes of files in the module's memory. */
export interface HeldBytes {
  held: number;
  limit: number;
  ranges: number;
}
