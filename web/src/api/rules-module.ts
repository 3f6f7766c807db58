// The module: a program of Retrograde in WebAssembly, with its games, the reading of tables and the solvers. It runs on
// this thread, or in a worker, and answers in the words of docs/api.md (crates/retrograde-offline).

/** Three places in memory with their lengths. */
type Six = [number, number, number, number, number, number];

interface Exports {
  memory: WebAssembly.Memory;
  /** Begins the program, which tells the module its games. */
  main(argumentCount: number, argumentList: number): number;
  retrograde_take(length: number): number;
  retrograde_open(...parts: Six): number;
  retrograde_name(name: number, nameLength: number, board: number, boardLength: number): number;
  retrograde_solve(): number;
  retrograde_ask(question: number, length: number): number;
  retrograde_site(index: number, length: number, limit: number): number;
  retrograde_site_game(name: number, length: number): number;
  retrograde_site_bytes(path: number, pathLength: number, from: number, bytes: number, length: number): void;
  retrograde_site_held(): number;
}

/** Hears how far a solve is. */
export interface SolveProgress {
  stage(name: string, total: number): void;
  advance(units: number): void;
}

/** A question: a path, and a query or a body. */
export interface Question {
  path: string;
  query?: object;
  body?: unknown;
  /** Of a game of a site: whether the rules alone are asked, which need none of its files. */
  rules?: boolean;
}

/** Bytes of a piece of a site's file; `bytes` is the length of the piece. */
interface SiteRange {
  path: string;
  from: number;
  to: number;
  bytes: number;
}

export interface ModuleAnswer {
  status: number;
  body: unknown;
  /** Of a game of a site: what was read, and has wrong bytes somewhere. */
  damaged?: SiteRange[];
}

/** A game that was named, and what solving it takes, as `GuestDescription` of the module. */
export interface GuestDescription {
  about: { game: string; start: string; positions: number | string };
  solvable: boolean;
  memory: number | null;
  seconds: number | null;
  refused: string | null;
}

/** Why a game that was named is none; where a board is wrong, with the place, counted from 1. */
export interface GuestRefusal {
  detail: string;
  line: number | null;
  column: number | null;
}

export type Named = { game: GuestDescription; refused?: never } | { game?: never; refused: GuestRefusal };

const SILENT: SolveProgress = { stage: () => {}, advance: () => {} };

export class RulesModule {
  private exports!: Exports;
  private constructor() {}

  /** Makes the module of its bytes, or while they come. */
  static async make(
    source: BufferSource | Promise<Response>,
    progress: SolveProgress = SILENT,
  ): Promise<RulesModule> {
    const made = new RulesModule();
    const imports = {
      retrograde: {
        now: () => performance.now(),
        stage: (name: number, length: number, total: number) =>
          progress.stage(made.utf8(name >>> 0, length), total),
        advance: (units: number) => progress.advance(units),
      },
    };
    const { instance } =
      source instanceof Promise
        ? await WebAssembly.instantiateStreaming(source, imports)
        : await WebAssembly.instantiate(source, imports);
    made.exports = instance.exports as unknown as Exports;
    made.exports.main(0, 0);
    return made;
  }

  /** Opens a table, on a board that has this text if it is not empty; says what is wrong, nothing if nothing is. */
  open(manifest: Uint8Array, values: Uint8Array, board: Uint8Array): string {
    const parts = [manifest, values, board].flatMap((bytes) => [this.copyIn(bytes), bytes.length]);
    return this.textAt(this.exports.retrograde_open(...(parts as Six)));
  }

  /** The games of a site, by the text of its site.json; says what is wrong, nothing if nothing is. */
  site(index: string, limit: number): string {
    const bytes = new TextEncoder().encode(index);
    return this.textAt(this.exports.retrograde_site(this.copyIn(bytes), bytes.length, limit));
  }

  /** Opens a game of the site. */
  siteGame(name: string): ModuleAnswer {
    const bytes = new TextEncoder().encode(name);
    const answer = this.exports.retrograde_site_game(this.copyIn(bytes), bytes.length);
    return JSON.parse(this.textAt(answer)) as ModuleAnswer;
  }

  /** Gives bytes of a file of the site. */
  give(path: string, from: number, data: Uint8Array): void {
    const name = new TextEncoder().encode(path);
    const at = this.copyIn(name);
    this.exports.retrograde_site_bytes(at, name.length, from, this.copyIn(data), data.length);
  }

  /** How many bytes of the site's files are held; null without a site. */
  held(): { held: number; limit: number; ranges: number } | null {
    return JSON.parse(this.textAt(this.exports.retrograde_site_held())) as ReturnType<RulesModule['held']>;
  }

  /** Bytes of the module's memory. */
  memory(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Opens a game by its name, on a board that has this text. */
  name(name: string, board: string): Named {
    const [nameBytes, boardBytes] = [name, board].map((text) => new TextEncoder().encode(text)) as [
      Uint8Array,
      Uint8Array,
    ];
    const answer = this.exports.retrograde_name(
      this.copyIn(nameBytes),
      nameBytes.length,
      this.copyIn(boardBytes),
      boardBytes.length,
    );
    return JSON.parse(this.textAt(answer)) as Named;
  }

  /** Solves the game that was named; says why that failed, nothing if it did not. */
  solve(): string {
    return this.textAt(this.exports.retrograde_solve());
  }

  ask(question: Question): ModuleAnswer {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const text = this.textAt(this.exports.retrograde_ask(this.copyIn(bytes), bytes.length));
    return JSON.parse(text) as ModuleAnswer;
  }

  /** Copies bytes into the module's memory; returns their address there. */
  private copyIn(bytes: Uint8Array): number {
    const address = this.exports.retrograde_take(bytes.length) >>> 0;
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  private utf8(address: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, address, length));
  }

  /** The text at an address of the module's memory, where its length stands first. */
  private textAt(address: number): string {
    // Addresses past two gigabytes come as negative numbers.
    const at = address >>> 0;
    return this.utf8(at + 4, new DataView(this.exports.memory.buffer).getUint32(at, true));
  }
}
