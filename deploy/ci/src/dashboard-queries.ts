import { dashboardQueries } from './dashboards.ts'

/** Prints every query of the dashboards as a file of rules, for promtool. */
const rules = dashboardQueries('5m').map(({ file, title, expr }, index) => ({
  record: `query:${index}`,
  expr,
  labels: { file, title },
}))
// JSON is YAML too.
console.log(JSON.stringify({ groups: [{ name: 'dashboards', rules }] }, null, 1))
