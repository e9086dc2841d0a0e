/**
 * Explains why a port could not be opened, in a sentence that names the port, its variable and what to do. Any other error is
 * returned unchanged. There is no retry here: a process that cannot listen cannot report that it waits, and what started it
 * (Docker, Kubernetes, the launcher) restarts it with growing pauses anyway.
 * @param config the process's settings; those that are called PORT or end in _PORT are its ports.
 */
export function explainListenError(error: unknown, config: Record<string, unknown>): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error
  const names = Object.keys(config).filter((name) => /(^|_)PORT$/.test(name) && config[name] === error.port)
  const port = `port ${error.port} of ${config['HOST']} (${names.join(' and ')})`
  const sentence = sentences[String(error.code)]?.(port, Number(error.port))
  return sentence ? new Error(sentence, { cause: error }) : error
}

const sentences: Record<string, (port: string, number: number) => string> = {
  EADDRINUSE: (port, number) =>
    `${port} is in use by another program: stop that one (ss -ltnp 'sport = :${number}' shows which it is), or choose another port`,
  EACCES: (port) => `${port} may not be opened by this user: choose one above 1023`,
  EADDRNOTAVAIL: (port) => `${port} cannot be opened: HOST is not an address of this machine`,
}
