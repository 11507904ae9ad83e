/**
 * A stand-in for the part of Google's `gapi.iframes` that the SDK and the server's frame use, over `postMessage`; its
 * text is what both load.
 */
export function gapi(script) {
  const handlers = new Map();
  const waiting = new Map();
  let last = 0;

  class Iframe {
    constructor(target) {
      this.target = target;
    }
    register(name, handler) {
      handlers.set(name, handler);
    }
    send(name, data, answered) {
      last += 1;
      waiting.set(last, answered);
      this.target.postMessage({ gapi: 'ask', id: last, name, data }, '*');
    }
    async restyle() {}
    async ping(answered) {
      await this.loaded;
      answered();
    }
  }

  window.addEventListener('message', async ({ data, source }) => {
    if (data?.gapi === 'ask' && handlers.has(data.name)) {
      const answer = await handlers.get(data.name)(data.data);
      source.postMessage({ gapi: 'answer', id: data.id, answer: [answer] }, '*');
    }
    if (data?.gapi === 'answer') waiting.get(data.id)?.(data.answer);
  });

  const context = {
    open({ where, url }, opened) {
      const element = document.createElement('iframe');
      element.hidden = true;
      const loaded = new Promise((done) => {
        element.onload = done;
      });
      element.src = url;
      where.append(element);
      const iframe = new Iframe(element.contentWindow);
      iframe.loaded = loaded;
      return opened(iframe);
    },
    getParentIframe: () => new Iframe(window.parent),
  };
  window.gapi = {
    load: (_name, then) => (then.callback ?? then)(),
    iframes: { Iframe, CROSS_ORIGIN_IFRAMES_FILTER: {}, getContext: () => context },
  };
  window[new URL(script.src).searchParams.get('onload')]();
}
