// Plain JavaScript for any Node, since it has to run where the right one is missing.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('Carddesk brings its own Node. Run npm ci first, with the install scripts that package.json allows.')
  process.exit(1)
}
