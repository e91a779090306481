/** Tells whoever has started this process, as often as asked, what CPU time it has used. */
process.on('message', (question: unknown) => {
  if (question !== 'cpu') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMs: (user + system) / 1_000 })
})
