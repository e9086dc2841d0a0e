import { backupDatabase } from './backup-database.ts'
import { folderOf, onDatabase } from './command.ts'

const args = process.argv.slice(2)

await onDatabase(async (client) => {
  const folder = folderOf(args, 'MONGODB_URL=… npm run backup -- <new folder>')
  const { manifest, sha256 } = await backupDatabase(client, folder)
  for (const { name, documents } of manifest.collections) console.log(`${name}: ${documents} documents`)
  console.log(`${folder} is whole. SHA-256 of its manifest, to keep elsewhere: ${sha256}`)
})
