import type { TestDatabase } from '../testing/test-database.ts'
import { testMedia } from './media-contract.ts'

const collections = ['mediaFiles.files', 'mediaFiles.chunks'] as const
const collection = ({ connection }: TestDatabase, name: string) => connection.collection(name)

testMedia({
  contents: (database) => Promise.all(collections.map((name) => collection(database, name).countDocuments())),
  clear: async (database) => {
    for (const name of collections) await collection(database, name).deleteMany({})
  },
})
