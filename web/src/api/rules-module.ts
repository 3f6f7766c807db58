// The WebAssembly module (crates/retrograde-offline), with the games, the table reader and the solvers. It runs on this
// thread or in a worker, and answers the requests of docs/api.md.

/** Three buffers, each an address and a length. */
type Six = [number, number, number, number, number, number];

interface Exports {
  memory: WebAssembly.Memory;
  /** Starts the program, which registers its games. */
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

/** Called with the progress of a solve. */
export interface SolveProgress {
  stage(name: string, total: number): void;
  advance(units: number): void;
}

/** A request: a path, and a query or a body. */
export interface Question {
  path: string;
  query?: object;
  body?: unknown;
  /** For games of a site: whether to answer from the rules alone, without files. */
  rules?: boolean;
}

/** A byte range of a piece of a site's file; `bytes` is the length of the piece. */
interface SiteRange {
  path: string;
  from: number;
  to: number;
  bytes: number;
}

export interface ModuleAnswer {
  status: number;
  body: unknown;
  /** For games of a site: ranges that were read and turned out to be damaged. */
  damaged?: SiteRange[];
}

/** A named game and the cost of solving it (the module's `GuestDescription`). */
export interface GuestDescription {
  about: { game: string; start: string; positions: number | string };
  solvable: boolean;
  memory: number | null;
  seconds: number | null;
  refused: string | null;
}

/** Why a game was rejected, with the place of the error in a board, counted from 1. */
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

  /** Instantiates the module from its bytes or while they arrive. */
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

  /** Opens a table, with a custom board unless `board` is empty. Returns an error message, empty on success. */
  open(manifest: Uint8Array, values: Uint8Array, board: Uint8Array): string {
    const parts = [manifest, values, board].flatMap((bytes) => [this.copyIn(bytes), bytes.length]);
    return this.textAt(this.exports.retrograde_open(...(parts as Six)));
  }

  /** Loads the games of a site from the text of its site.json. Returns an error message, empty on success. */
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

  /** Provides bytes of a file of the site. */
  give(path: string, from: number, data: Uint8Array): void {
    const name = new TextEncoder().encode(path);
    const at = this.copyIn(name);
    this.exports.retrograde_site_bytes(at, name.length, from, this.copyIn(data), data.length);
  }

  /** The bytes of the site's files in memory; null without a site. */
  held(): { held: number; limit: number; ranges: number } | null {
    return JSON.parse(this.textAt(this.exports.retrograde_site_held())) as ReturnType<RulesModule['held']>;
  }

  /** The size of the module's memory in bytes. */
  memory(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Opens a game by its name, with a custom board unless `board` is empty. */
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

  /** Solves the named game. Returns an error message, empty on success. */
  solve(): string {
    return this.textAt(this.exports.retrograde_solve());
  }

  ask(question: Question): ModuleAnswer {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const text = this.textAt(this.exports.retrograde_ask(this.copyIn(bytes), bytes.length));
    return JSON.parse(text) as ModuleAnswer;
  }

  /** Copies bytes into the module's memory and returns their address. */
  private copyIn(bytes: Uint8Array): number {
    const address = this.exports.retrograde_take(bytes.length) >>> 0;
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  private utf8(address: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, address, length));
  }

  /** The length-prefixed text at an address in the module's memory. */
  private textAt(address: number): string {
    // Addresses above 2 GiB arrive as negative numbers.
    const at = address >>> 0;
    return this.utf8(at + 4, new DataView(this.exports.memory.buffer).getUint32(at, true));
  }
}
