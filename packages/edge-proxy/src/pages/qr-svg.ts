/** A QR code as an SVG document. */
import { html } from 'hono/html';
import { correction, generate } from 'lean-qr/nano';

const QUIET_ZONE = 4;

/** Draws a text as one path: black modules on white, with the quiet zone the standard asks for. */
export function qrSvg(text: string): ReturnType<typeof html> {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const size = code.size + 2 * QUIET_ZONE;
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
    }
  }
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
}
