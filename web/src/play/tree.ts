// A game with its variations: a tree of turns, with one line shown up to a node. In each position, the first turn played
// belongs to the main line, and the others begin variations. Trees are immutable: every turn and every jump returns a
// new one. Turns are kept until they are removed.

import type { PlayedTurn } from '../api/types';
import { placeAfter, samePlace, type Place } from '../values/places';

export interface TreeNode {
  readonly id: number;
  /** The node of the turn before; null for the start. */
  readonly parent: number | null;
  /** The turn that leads here; null for the start. */
  readonly made: PlayedTurn | null;
  /** Whether the page showed the turn, as part of a best line, and it was not played. */
  readonly demo: boolean;
  /** The turns that were played from here, the main line first; after them those of the page. */
  readonly children: readonly number[];
}

type Nodes = ReadonlyMap<number, TreeNode>;

export const ROOT = 0;

/** The last number of a node in any tree. Numbers are not used again, not even in another game: what is known about a
 * turn must not pass to one that replaces it. */
let lastId = ROOT;

/** The line that follows the first turn of each position. */
function toLeaf(nodes: Nodes, line: readonly number[]): number[] {
  const whole = [...line];
  for (let next = line.at(-1); next !== undefined; next = nodes.get(next)?.children[0]) {
    if (next !== whole.at(-1)) whole.push(next);
  }
  return whole;
}

/** The ids from the start to a node. */
function pathTo(nodes: Nodes, id: number): number[] {
  const path: number[] = [];
  for (let at: number | null = id; at !== null; at = nodes.get(at)?.parent ?? null) path.unshift(at);
  return path;
}

export class GameTree {
  readonly start: Place;
  /** The turns of the shown line, to its end. */
  readonly turns: PlayedTurn[];
  /** How many of these turns lead to the shown position. */
  readonly at: number;
  private readonly nodes: Nodes;
  /** The nodes of the shown line, from the start to a leaf. */
  private readonly line: readonly number[];

  private constructor(start: Place, nodes: Nodes, line: readonly number[], at: number) {
    this.start = start;
    this.nodes = nodes;
    this.line = toLeaf(nodes, line);
    this.at = Math.max(0, Math.min(at, this.line.length - 1));
    this.turns = this.line.flatMap((id) => nodes.get(id)?.made ?? []);
  }

  static begin(start: Place): GameTree {
    return new GameTree(
      start,
      new Map([[ROOT, { id: ROOT, parent: null, made: null, demo: false, children: [] }]]),
      [ROOT],
      0,
    );
  }

  /** The shown position. */
  get here(): Place {
    return this.placeAt(this.at);
  }

  /** The node of the shown position. */
  get hereId(): number {
    return this.idAt(this.at);
  }

  /** The turn that led to the shown position. */
  get last(): PlayedTurn | null {
    return this.turns[this.at - 1] ?? null;
  }

  /** The nodes of the played line that the shown line belongs to, or that it leaves with turns of the page; without the
   * start. */
  get playedLine(): TreeNode[] {
    const last = this.line.findLastIndex((id) => !this.node(id).demo);
    const line = this.line.slice(0, last + 1);
    for (let next = line.at(-1); next !== undefined;) {
      next = this.node(next).children.find((id) => !this.node(id).demo);
      if (next !== undefined) line.push(next);
    }
    return line.slice(1).map((id) => this.node(id));
  }

  /** Its turns. */
  get played(): PlayedTurn[] {
    return this.playedLine.flatMap(({ made }) => made ?? []);
  }

  /** The last node of the played line. */
  get lastId(): number {
    return this.playedLine.at(-1)?.id ?? ROOT;
  }

  /** Whether the shown position is the last one that was played. */
  get atEnd(): boolean {
    return this.hereId === this.lastId;
  }

  /** How often the shown position has occurred in the shown line so far. */
  get timesHere(): number {
    return this.line.slice(0, this.at + 1).filter((_, at) => samePlace(this.placeAt(at), this.here)).length;
  }

  /** Whether the shown line is the main line. */
  get onMainLine(): boolean {
    return this.line.every((id) => this.isMain(id));
  }

  /** Whether there are turns outside of the shown line. */
  get hasVariations(): boolean {
    return this.nodes.size > this.line.length;
  }

  /** The position after a number of turns of the shown line. */
  placeAt(at: number): Place {
    const made = this.turns[at - 1];
    return made ? placeAfter(made) : this.start;
  }

  idAt(at: number): number {
    return this.line[Math.max(0, Math.min(at, this.line.length - 1))] ?? ROOT;
  }

  node(id: number): TreeNode {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`no turn has the number ${id}`);
    return node;
  }

  /** The nodes after a node, along its main line. */
  mainLineFrom(id: number): TreeNode[] {
    return toLeaf(this.nodes, [id])
      .slice(1)
      .map((next) => this.node(next));
  }

  /** Whether a node is the first child of its parent. */
  isMain(id: number): boolean {
    const { parent } = this.node(id);
    return parent === null || this.node(parent).children[0] === id;
  }

  /** The number of turns that lead to a node. */
  depthOf(id: number): number {
    return pathTo(this.nodes, id).length - 1;
  }

  goTo(at: number): GameTree {
    return new GameTree(this.start, this.nodes, this.line, at);
  }

  /** Shows the position of a node, with the line that leads through it. */
  visit(id: number): GameTree {
    const at = this.line.indexOf(id);
    if (at >= 0) return this.goTo(at);
    const path = pathTo(this.nodes, id);
    return new GameTree(this.start, this.nodes, path, path.length - 1);
  }

  /** Shows the main line, up to where the shown line leaves it. */
  backToMainLine(): GameTree {
    const leaves = this.line.findIndex((id) => !this.isMain(id));
    return leaves < 0 ? this : this.visit(this.idAt(leaves - 1)).onFirstChoices();
  }

  private onFirstChoices(): GameTree {
    return new GameTree(this.start, this.nodes, this.line.slice(0, this.at + 1), this.at);
  }

  /** Adds turns after the shown position, which stays the same. Existing turns are reused; if the page showed one that is
   * now played, it counts as played. */
  with(made: PlayedTurn[], demo = false): GameTree {
    const nodes = new Map(this.nodes);
    const line = this.line.slice(0, this.at + 1);
    for (const turn of made) {
      const parent = nodes.get(line.at(-1) ?? ROOT);
      if (!parent) break;
      const same = parent.children.find((id) => nodes.get(id)?.made?.turn === turn.turn);
      const there = same === undefined ? undefined : nodes.get(same);
      const id = same ?? ++lastId;
      if (!there || (there.demo && !demo)) {
        nodes.set(id, { id, parent: parent.id, made: turn, children: [], ...there, demo });
        const others = parent.children.filter((other) => other !== id);
        const played = others.filter((other) => !nodes.get(other)?.demo);
        const shown = others.filter((other) => nodes.get(other)?.demo);
        const children = demo ? [...others, id] : [...played, id, ...shown];
        nodes.set(parent.id, { ...parent, children });
      }
      line.push(id);
    }
    return new GameTree(this.start, nodes, line, this.at);
  }

  /** Updates the information on the turn of a node, unless the node has another turn by now. */
  withKnown(id: number, made: PlayedTurn): GameTree {
    const node = this.nodes.get(id);
    if (node?.made?.turn !== made.turn) return this;
    const nodes = new Map(this.nodes).set(id, { ...node, made: this.judged(node.parent ?? ROOT, made) });
    return new GameTree(this.start, nodes, this.line, this.at);
  }

  /** A turn that leads back to an earlier position earns no “!”. */
  private judged(parent: number, made: PlayedTurn): PlayedTurn {
    if (made.mark !== '!') return made;
    const places = pathTo(this.nodes, parent).map((id) => {
      const before = this.node(id).made;
      return before ? placeAfter(before) : this.start;
    });
    const back = places.some((place) => samePlace(place, placeAfter(made)));
    return back ? { ...made, mark: '', comment: '' } : made;
  }

  /** Removes a turn and all that follow. */
  without(id: number): GameTree {
    const { parent } = this.node(id);
    if (parent === null) return GameTree.begin(this.start);
    const nodes = new Map(this.nodes);
    const remove = (gone: number) => {
      nodes.get(gone)?.children.forEach(remove);
      nodes.delete(gone);
    };
    remove(id);
    const before = this.node(parent);
    nodes.set(parent, { ...before, children: before.children.filter((child) => child !== id) });
    const line = this.line.filter((kept) => nodes.has(kept));
    return new GameTree(this.start, nodes, line, Math.min(this.at, line.length - 1));
  }

  /** Moves the variation of a node before the line that it branches from. */
  promoted(id: number): GameTree {
    const branch = pathTo(this.nodes, id).findLast((step) => !this.isMain(step));
    if (branch === undefined) return this;
    const parent = this.node(this.node(branch).parent ?? ROOT);
    const children = [branch, ...parent.children.filter((child) => child !== branch)];
    const nodes = new Map(this.nodes).set(parent.id, { ...parent, children });
    return new GameTree(this.start, nodes, this.line, this.at);
  }
}
