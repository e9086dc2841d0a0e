/** Calls the control API of a simulator: GET, or POST where there is a body. */
export const simulatorControl =
  (url: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: answers are what the assertions of a test say they are.
  async (path: string, body?: object): Promise<any> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return JSON.parse(await (await fetch(`${url}/sim${path}`, init)).text())
  }
