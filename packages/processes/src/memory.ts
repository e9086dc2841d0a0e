/**
 * Memory settings for Node and the C library, as variables that take effect before the first line of a process runs. The same for
 * every Parley process: images have them from their Dockerfiles, the launcher gives them to its children, benchmarks take them
 * from the launcher.
 *
 * - Half of the space for new objects, in MiB: the objects in use while a batch is written fit into it. Node takes 1 MiB by
 * default in a container of up to 512 MiB, and then copies each message many times; and 64 MiB on a large machine.
 * - glibc keeps separate memory for each thread, up to eight times as many pools as there are cores, and returns little of it.
 *
 * The rest of the heap follows the limit of the container: 256 MiB up to 512 MiB, about half of it above.
 */
export const memoryVariables = { NODE_OPTIONS: '--max-semi-space-size=16', MALLOC_ARENA_MAX: '2' } as const

/** The same options where no container limit guides Node: as in a container of up to 512 MiB. */
export const memoryVariablesWithoutLimit = {
  ...memoryVariables,
  NODE_OPTIONS: `${memoryVariables.NODE_OPTIONS} --max-old-space-size=256`,
} as const

/** The same for all processes of Parley in one, where no container limit guides Node. */
export const memoryVariablesOfOne = {
  ...memoryVariables,
  NODE_OPTIONS: `${memoryVariables.NODE_OPTIONS} --max-old-space-size=384`,
} as const
