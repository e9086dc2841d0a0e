/**
 * Put before a program that shows a page and asks nobody who they are (`node --require`): a request is answered only by the
 * page's own address, and to no page of another. Without it a website could read what is shown here, across origins or by
 * having its own name lead to this machine. OWN_ADDRESSES: hosts with their ports, separated by commas.
 */
const { Server } = require('node:http')

const addresses = new Set((process.env.OWN_ADDRESSES ?? '').split(','))
const isOwn = ({ host, origin }) => addresses.has(host) && (origin === undefined || origin === `http://${host}`)

const { emit } = Server.prototype
Server.prototype.emit = function emitOwn(event, ...args) {
  if (event !== 'request' && event !== 'upgrade') return emit.call(this, event, ...args)
  const [request, answer] = args
  if (isOwn(request.headers)) return emit.call(this, event, ...args)
  if (event === 'upgrade') answer.destroy()
  else answer.writeHead(421).end('Open this page by its own address.')
  return true
}
