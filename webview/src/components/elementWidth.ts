import type { ReactiveController, ReactiveControllerHost } from "lit";

/** The width of an element, whole pixels; 0 until it is laid out. The element is drawn again when it changes. */
export class ElementWidth implements ReactiveController {
  pixels = 0;
  private readonly observer: ResizeObserver;

  constructor(private readonly host: ReactiveControllerHost & Element) {
    this.observer = new ResizeObserver(([entry]) => {
      const pixels = Math.floor(entry?.contentRect.width ?? 0);
      if (pixels === this.pixels) return;
      this.pixels = pixels;
      host.requestUpdate();
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }
}
