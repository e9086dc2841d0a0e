import { folderOf, onDatabase } from './command.ts'
import { Refusal } from './refusal.ts'
import { restoreDatabase, verifyBackup } from './restore-database.ts'

const known = ['--force', '--verify']
const args = process.argv.slice(2)

await onDatabase(async (client) => {
  const folder = folderOf(args, 'MONGODB_URL=… npm run restore -- <folder> [--verify] [--force]')
  const odd = args.find((arg) => arg.startsWith('--') && !known.includes(arg))
  if (odd) throw new Refusal(`${odd} is not known; there are ${known.join(' and ')}.`)
  const manifest = args.includes('--verify')
    ? await verifyBackup(folder)
    : await restoreDatabase(client, folder, { force: args.includes('--force') })
  for (const { name, documents } of manifest.collections) console.log(`${name}: ${documents} documents`)
  console.log(`${args.includes('--verify') ? 'Verified' : 'Restored'}: the backup of ${manifest.takenAt}.`)
})
