import { createHash } from 'node:crypto'
import type { WorkspaceScope } from './scoped-collection.ts'

/**
 * The id that a record of the sample has in a workspace, the same whenever it is loaded and whichever service computes it, so that a
 * load that was cut off continues where it was and links between records hold. Like every id it begins with a time, by which lists
 * are sorted.
 * @param index below 16 million: the order of records of one moment.
 */
export const sampleId = (scope: WorkspaceScope, name: string, at: Date, index = 0): string =>
  sampleIds(scope, name)(at, index)

/** Same as {@link sampleId} for many records of one name. */
export function sampleIds({ workspaceId }: WorkspaceScope, name: string): (at: Date, index: number) => string {
  const nameHash = createHash('sha256').update(`${workspaceId}/${name}`).digest('hex').slice(0, 10)
  return (at, index) => {
    const seconds = Math.floor(at.getTime() / 1000)
    return seconds.toString(16).padStart(8, '0') + nameHash + index.toString(16).padStart(6, '0')
  }
}

/**
 * The id of a bot of the sample. Messaging names bots in conversations, automation stores them, and neither knows when the other has
 * loaded its part: it depends on no moment.
 * @param storyId `bot-1`, as the sample names it.
 */
export const sampleBotId = (scope: WorkspaceScope, storyId: string): string => sampleId(scope, storyId, new Date(0))

/** A record of the sample as the story has it. */
interface Told {
  readonly id: string
  readonly createdAt: string
}

/** Returns the id of a number of the sample. @param index its place among them, from 0. */
export const sampleNumberId = (scope: WorkspaceScope, { id, createdAt }: Told, index: number): string =>
  sampleId(scope, id, new Date(createdAt), index)

/** Returns ids of contacts of the sample, by their places among them. */
export function sampleContactIds(scope: WorkspaceScope): (contact: Pick<Told, 'createdAt'>, index: number) => string {
  const idAt = sampleIds(scope, 'contact')
  return ({ createdAt }, index) => idAt(new Date(createdAt), index)
}

/** Returns the id of a conversation of the sample. */
export const sampleConversationId = (scope: WorkspaceScope, { id, createdAt }: Told): string =>
  sampleId(scope, id, new Date(createdAt))
