// Handles fingers and mice on the board: a tap or click touches a square, and pieces can be dragged. A finger that does
// not start on a movable piece scrolls the page.

interface Point {
  x: number;
  y: number;
}

interface Board {
  /** A point of the screen in the units of the board. */
  point(event: PointerEvent): Point;
  /** The square at a point. */
  squareAt(point: Point): string | null;
  /** Whether the square has a piece that the player may drag. */
  draggable(square: string): boolean;
  picked(square: string): boolean;
  touch(square: string): void;
  /** Moves a dragged piece. Without it, dragging touches the first and the last square. */
  readonly move?: ((from: string, to: string) => void) | undefined;
}

/** How far a finger must move to start dragging, in units of the board. */
const FAR = 14;

export class BoardPointer {
  /** The square of the dragged piece, and the pointer's position. */
  drag = $state.raw<({ square: string } & Point) | null>(null);
  /** The square that the last piece was dragged from, until the next touch. */
  dragged: string | null = null;

  private down: { square: string; at: Point; touched: boolean } | null = null;
  private readonly board: Board;

  constructor(board: Board) {
    this.board = board;
  }

  onpointerdown = (event: PointerEvent): void => {
    const at = this.board.point(event);
    const square = this.board.squareAt(at);
    if (square === null || event.button !== 0 || !event.isPrimary) return;
    this.dragged = null;
    // A finger may be about to scroll, so it touches a square only when it lifts. So does a mouse where pieces are
    // moved without touching their squares.
    const finger = event.pointerType === 'touch';
    const touched = !finger && !this.board.move;
    if (!finger) {
      event.preventDefault();
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    }
    if (touched) this.board.touch(square);
    this.down = { square, at, touched };
  };

  /** Prevents scrolling while a finger drags a piece; register it as not passive. `touch-action` does not work on parts
   * of an SVG. */
  ontouchstart = (event: Event): void => {
    const draggable = (event.target as Element).closest('.draggable');
    const one = event instanceof TouchEvent && event.touches.length === 1;
    if (draggable && one && event.cancelable) event.preventDefault();
  };

  onpointermove = (event: PointerEvent): void => {
    const { down } = this;
    if (!down) return;
    const at = this.board.point(event);
    const far = this.drag !== null || Math.hypot(at.x - down.at.x, at.y - down.at.y) > FAR;
    if (!far) return;
    if (this.board.move) {
      if (this.board.draggable(down.square)) this.drag = { square: down.square, ...at };
      else if (event.pointerType === 'touch') this.down = null;
      return;
    }
    if (!down.touched) {
      if (!this.board.draggable(down.square)) {
        this.down = null;
        return;
      }
      if (!this.board.picked(down.square)) this.board.touch(down.square);
      this.down = { ...down, touched: true };
    }
    if (this.board.picked(down.square)) this.drag = { square: down.square, ...at };
  };

  onpointerup = (event: PointerEvent): void => {
    const { down, drag } = this;
    this.onpointercancel();
    if (!down) return;
    const square = this.board.squareAt(this.board.point(event));
    if (drag && this.board.move) {
      if (square !== null && square !== down.square) this.board.move(down.square, square);
      return;
    }
    if (!down.touched && square === down.square) this.board.touch(square);
    // A drag ends on another square. A click ends where it began and was handled already.
    if (!down.touched || square === null || square === down.square || !this.board.picked(down.square)) return;
    this.dragged = drag && down.square;
    this.board.touch(square);
  };

  onpointercancel = (): void => {
    this.down = this.drag = null;
  };
}
