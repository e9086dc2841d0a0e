/** A project of its own: one that a person runs here is left alone. */
export const testProject = 'parley-ci'

/** @param program the compose command, its words separated by spaces (`PARLEY_COMPOSE`). */
export const composeCommand = (program: string, args: readonly string[], project = testProject): string[] => [
  ...program.split(' '),
  '--project-name',
  project,
  ...args,
]
