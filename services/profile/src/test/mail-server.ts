import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

type Step = 'mail' | 'rcpt' | 'data' | 'end'
/** Reaction of the server in place of taking a mail: an answer to a step, or the end of the connection. */
export type Trouble = { readonly at: Step; readonly answer: string } | { readonly at: Step; readonly hangsUp: true }

/** A mail server for tests: it keeps what it is given, and makes the trouble that a test asks for. */
export async function startMailServer() {
  const mails: string[] = []
  let troubles: Trouble[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    const trouble = troubles.shift()
    const say = (line: string) => void socket.write(`${line}\r\n`)
    /** @returns whether the step goes as usual. */
    const goes = (step: Step): boolean => {
      if (trouble?.at !== step) return true
      if ('hangsUp' in trouble) socket.destroy()
      else say(trouble.answer)
      return false
    }
    let data: string | undefined
    let rest = ''
    const onLine = (line: string) => {
      if (data !== undefined) {
        if (line !== '.') data += `${line}\n`
        else {
          if (goes('end')) {
            mails.push(data)
            say('250 taken')
          }
          data = undefined
        }
        return
      }
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'MAIL') goes('mail') && say('250 ok')
      else if (verb === 'RCPT') goes('rcpt') && say('250 ok')
      else if (verb === 'DATA') {
        if (!goes('data')) return
        data = ''
        say('354 go on')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else say('250 ok')
    }
    say('220 test')
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** As they came, headers first. */
    mails,
    /** Trouble for the next connections, one each. */
    trouble: (...next: Trouble[]) => {
      troubles = next
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
