import { z } from 'zod'

/** A container as the launcher wants it: on the network of this machine, so that all addresses stay what they are. */
export const containerSpecSchema = z.strictObject({
  /** One container of the name at a time; an older one is removed. */
  name: z.string(),
  image: z.string(),
  entrypoint: z.array(z.string()),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  /** Folders and files of this machine. */
  mounts: z.array(z.strictObject({ source: z.string(), target: z.string(), mode: z.enum(['ro', 'rw']) })),
  /** `uid:gid` of the files that it writes. */
  user: z.string(),
})
export type ContainerSpec = z.infer<typeof containerSpecSchema>
