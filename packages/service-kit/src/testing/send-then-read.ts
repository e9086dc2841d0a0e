import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends a whole request and reads only then, as many clients do. Never resolves where the server neither reads what is left
 * of the body nor closes the connection.
 * @param head request line and headers, without the length.
 * @returns the status line of the answer; what the connection ended with, where it ended without one.
 */
export async function sendThenRead(port: number, head: readonly string[], bodyBytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  const failed = once(socket, 'error').then(([error]) => String(error))
  const whole = `${[...head, 'Host: x', `Content-Length: ${bodyBytes}`].join('\r\n')}\r\n\r\n${'x'.repeat(bodyBytes)}`
  const sent = new Promise((resolve) => socket.write(whole, resolve))
  await Promise.race([sent, failed])
  const answered = once(socket, 'data').then(([chunk]) => String(chunk).split('\r\n')[0] ?? '')
  socket.resume()
  const line = await Promise.race([answered, failed])
  socket.destroy()
  return line
}
