// Plain syntax on purpose: an old Node must get as far as the sentence below.
import { requireNode } from './require-node.mjs'

if (requireNode()) import('./src/doctor.ts')
