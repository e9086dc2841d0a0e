import Bowser from 'bowser'
import type { Request } from 'express'
import type { Visitor } from '../session/session-index.ts'

/** Returns a request's sender in readable form: `Firefox on Windows` from `203.0.113.7`. */
export function visitorOf(req: Request): Visitor {
  const { browser, os } = Bowser.parse((req.get('user-agent') || 'unknown').slice(0, 512))
  const device = [browser.name, os.name].filter(Boolean).join(' on ')
  return { ip: req.ip ?? '', device: device || 'Unknown device' }
}
