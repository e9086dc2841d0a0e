import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from './paths.ts'

const folder = join(root, 'helm/parley/files/dashboards')
const boardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
})

/** Returns every query of the dashboards as Grafana sends it with everything selected. @param window over which a rate is taken. */
export const dashboardQueries = (window: string) =>
  globSync('*.json', { cwd: folder }).flatMap((file) =>
    boardSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({
        file,
        title,
        expr: expr.replaceAll('$__rate_interval', window).replaceAll(/\$(?:namespace|process|operation)\b/g, '.*'),
      })),
    ),
  )
