import { z } from 'zod'

/** Name of a cell: a replica set and a Redis with the processes of messaging and automation on them. Source: `deploy/docs/design/cells.md`. */
export const cellNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'a cell is called by small letters, digits and -')

/** The cell of workspaces that name none: the only one until another is added. */
export const homeCell = 'home'
