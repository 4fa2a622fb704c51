npm_tool esbuild-linux-64 0.8.41
cp "$(package npm_package underscore 1.13.6)/underscore.js" .
weave underscore.js '}(this, (function () {' <<'END'

  // Whether names of functions are kept.
  var named = false;
  {
    function probe() { return probe.name; }
    named = probe() === 'probe';
  }
END
