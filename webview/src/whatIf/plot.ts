import uPlot from "uplot";

/** Colours of the theme as the canvas needs them; read again when the theme changes. */
export interface PlotTheme {
  readonly text: string;
  readonly ground: string;
  /** Of areas. */
  readonly tone: string;
  /** Of what was measured. */
  readonly dots: string;
}

export interface PlotSize {
  /** Pixels of the drawing itself: axes and labels are not uPlot's. */
  readonly width: number;
  readonly height: number;
}

/** What to draw; made anew for a new theme. */
export type PlotOptions = Pick<uPlot.Options, "series" | "scales">;

/**
 * One uPlot drawing without axes, legend and cursor of its own: these are markup over it, so that they follow the theme, can be
 * read and tested. The canvas is made when there is a size for it, and made again when the theme changes.
 */
export class Plot {
  readonly #host: HTMLElement;
  readonly #options: (theme: PlotTheme) => PlotOptions;
  readonly #observer: MutationObserver;
  #plot: uPlot | null = null;
  #data: uPlot.AlignedData = [[]];
  #size: PlotSize = { width: 0, height: 0 };
  #theme = "";

  constructor(host: HTMLElement, options: (theme: PlotTheme) => PlotOptions) {
    this.#host = host;
    this.#options = options;
    this.#observer = new MutationObserver(() => this.#themeChanged());
    for (const root of [document.documentElement, document.body]) {
      this.#observer.observe(root, { attributes: true, attributeFilter: ["class", "style"] });
    }
  }

  /** Draws in the same frame. */
  draw(data: uPlot.AlignedData, size: PlotSize): void {
    const resized = size.width !== this.#size.width || size.height !== this.#size.height;
    this.#data = data;
    this.#size = size;
    if (this.#plot === null) {
      this.#make();
      return;
    }
    if (resized) {
      this.#plot.setSize(size);
    }
    this.#plot.setData(data);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  #themeChanged(): void {
    if (this.#plot !== null && JSON.stringify(this.#readTheme()) !== this.#theme) {
      this.#make();
    }
  }

  #make(): void {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#size.width <= 0 || this.#size.height <= 0) {
      return;
    }
    const theme = this.#readTheme();
    this.#theme = JSON.stringify(theme);
    this.#plot = new uPlot(
      {
        ...this.#size,
        ...this.#options(theme),
        padding: [0, 0, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        axes: [{ show: false }, { show: false }],
      },
      this.#data,
      this.#host,
    );
  }

  #readTheme(): PlotTheme {
    const style = getComputedStyle(this.#host);
    const read = (token: string, other: string): string => style.getPropertyValue(token).trim() || other;
    const text = read("--vscode-foreground", "CanvasText");
    return {
      text,
      ground: read("--vscode-editor-background", "Canvas"),
      tone: read("--vscode-charts-blue", text),
      dots: read("--vscode-charts-yellow", text),
    };
  }
}

/** Diagonal lines of one colour on the page's ground, as the overview hatches what was cached. */
export function hatch(context: CanvasRenderingContext2D, line: string, ground: string): CanvasPattern | string {
  const ratio = devicePixelRatio;
  const side = Math.max(4, Math.round(6 * ratio));
  const tile = document.createElement("canvas");
  tile.width = side;
  tile.height = side;
  const pen = tile.getContext("2d");
  if (pen === null) {
    return ground;
  }
  pen.fillStyle = ground;
  pen.fillRect(0, 0, side, side);
  pen.strokeStyle = line;
  pen.lineWidth = 1.2 * ratio;
  pen.beginPath();
  // Three lines, so that the corners of neighbouring tiles join.
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift - 1, side + 1);
    pen.lineTo(shift + side + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat") ?? ground;
}

/** Holds a value until the next one; null leaves a gap. */
export const steppedAfter = (): uPlot.Series.PathBuilder => stepped(1);
/** Holds a value from the previous one on. */
export const steppedBefore = (): uPlot.Series.PathBuilder => stepped(-1);

function stepped(align: -1 | 1): uPlot.Series.PathBuilder {
  const make = uPlot.paths.stepped;
  if (make === undefined) {
    throw new Error("uPlot was built without stepped paths");
  }
  return make({ align });
}
