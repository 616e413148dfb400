/** What Lit's build for servers extends there: elements are imported on a server, never made. It gets no registry. */
class ServerElement {}

export { ServerElement as HTMLElement };
export const customElements = undefined;
