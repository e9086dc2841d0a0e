import type { Base } from '../../records.ts'
import type { Channel } from '../channel/module.ts'
import type { Media } from '../media/module.ts'
import { createSampleDataService } from './sample-data.service.ts'

/** The sample data that a new workspace shows until it has its own. */
export const createSample = (lower: Base & Media & Channel) => ({ sampleData: createSampleDataService(lower) })
