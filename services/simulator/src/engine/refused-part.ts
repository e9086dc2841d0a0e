import { GraphError } from '../graph/graph-error.ts'

/** A part of a template's definition. */
export interface Component {
  readonly type: string
  readonly [field: string]: unknown
}

/** Refuses a definition in words for the person who wrote it. */
export const refusedPart = (details: string) =>
  new GraphError(100, { message: '(#100) Invalid parameter', userTitle: 'Invalid parameter', userMessage: details })
