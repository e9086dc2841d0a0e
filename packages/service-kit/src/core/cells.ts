import { randomInt } from 'node:crypto'
import { cellNameSchema, homeCell } from '@parley/contracts/account/cells'
import { z } from 'zod'
import { httpUrlSchema } from './config.ts'
import { errors } from './errors.ts'

const maxCells = 100
const maxWeight = 1000

const weight = z.number().int().min(0).max(maxWeight).default(1)
const cellSchema = z.strictObject({ messaging: httpUrlSchema, automation: httpUrlSchema, weight })
const cellsSchema = z
  .strictObject({ [homeCell]: z.strictObject({ weight }).optional() })
  .catchall(cellSchema)
  .refine((cells) => Object.keys(cells).every((name) => cellNameSchema.safeParse(name).success), {
    error: 'calls a cell by something else than small letters, digits and -',
  })
  .refine((cells) => Object.keys(cells).length <= maxCells, { error: `has more than ${maxCells} cells` })

/** Service that a cell has of its own. */
type CellService = 'messaging' | 'automation'

/** The cells of an installation, as `CELLS` lists them. */
export interface Cells {
  /** Base URLs in every cell but the home cell. */
  readonly urls: ReadonlyMap<string, Readonly<Record<CellService, string>>>
  /** Share of new workspaces of each cell; 0 closes one to them. */
  readonly weights: ReadonlyMap<string, number>
}

/** The home cell alone. */
export const oneCell: Cells = { urls: new Map(), weights: new Map([[homeCell, 1]]) }

/** Setting of processes that call the services of a workspace's cell. */
export const cellsConfigShape = {
  CELLS: z
    .string()
    .transform((text, issues): Cells => {
      const { data, error } = cellsSchema.safeParse(parsed(text))
      if (!data) {
        const [issue] = error.issues
        issues.addIssue(
          `must be JSON like {"west":{"messaging":"http://…","automation":"http://…","weight":1}}: ${[...(issue?.path ?? []), issue?.message].join(' ')}`,
        )
        return z.NEVER
      }
      const { [homeCell]: home, ...others } = data
      const cells = Object.entries(others)
      return {
        urls: new Map(cells.map(([name, { messaging, automation }]) => [name, { messaging, automation }])),
        weights: new Map([[homeCell, home?.weight ?? 1], ...cells.map(([name, cell]) => [name, cell.weight] as const)]),
      }
    })
    .optional()
    .describe(
      'Cells beside the home cell, as JSON: `{"west":{"messaging":"http://…","automation":"http://…","weight":1}}`; new workspaces are placed by weight, 0 closes a cell to them, `"home":{"weight":0}` the home cell.',
    ),
}

/** Setting of processes that ask for the work of their own cell. No default: in another cell the wrong name would erase what is not there. */
export const cellConfigShape = {
  CELL: cellNameSchema
    .optional()
    .describe(
      'Cell to which this process belongs, as `CELLS` calls it; needed once there are several, also by those of `home`.',
    ),
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Chooses the cell of a new workspace by the weights.
 * @returns `undefined` for the home cell, as it is where every cell is closed.
 */
export function placeWorkspace({ weights }: Cells): string | undefined {
  const total = [...weights.values()].reduce((sum, one) => sum + one, 0)
  let left = total > 0 ? randomInt(total) : 0
  for (const [name, weight] of weights) {
    if (left < weight) return name === homeCell ? undefined : name
    left -= weight
  }
  return undefined
}

/**
 * Finds what is kept for a workspace's cell.
 * @param cell `undefined` for the home cell.
 * @throws `service_unavailable` for a cell that `CELLS` does not list: what belongs to it goes nowhere else.
 */
export function inCell<T>(cell: string | undefined, home: T, others: ReadonlyMap<string, T>): T {
  if (cell === undefined || cell === homeCell) return home
  const found = others.get(cell)
  if (found === undefined) throw errors.serviceUnavailable(new Error(`CELLS lists no cell ${cell}`))
  return found
}
