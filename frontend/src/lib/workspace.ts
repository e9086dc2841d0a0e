import { authApi } from '@parley/contracts/account/auth-endpoints'
import { z } from 'zod'
import { call } from './api.ts'

const noteKey = 'workspace-note'
const noteSchema = z.enum(['changed', 'left'])
/** Reason why the page was reloaded: the session is in another workspace, or the person has left the one before. */
type Note = z.infer<typeof noteSchema>

/** Reloads the page, so that nothing of the workspace before is left in it. @param note to show afterwards. */
export function beginAnew(note?: Note): void {
  try {
    if (note) sessionStorage.setItem(noteKey, note)
  } catch {
    // A browser that refuses storage shows no note.
  }
  window.location.assign('/dashboard')
}

/** Returns the note to show after a reload, once. */
export function takeNote(): Note | undefined {
  try {
    const note = noteSchema.safeParse(sessionStorage.getItem(noteKey)).data
    sessionStorage.removeItem(noteKey)
    return note
  } catch {
    return undefined
  }
}

/** Takes the session to another workspace of the person, and the page with it. @throws ApiError */
export async function goToWorkspace(workspaceId: string): Promise<void> {
  await call(authApi.workspace, { body: { workspaceId } })
  beginAnew()
}
