/** The health check of the images: exit code 0 if the process can serve. */
fetch(`http://127.0.0.1:${process.env['PORT']}/readyz`, { signal: AbortSignal.timeout(4000) }).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
)
