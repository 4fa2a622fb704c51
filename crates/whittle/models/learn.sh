#!/bin/bash
# Rebuilds the models in this folder from public packages: learn.sh WHITTLE WORK [LANGUAGE...]
#
# WHITTLE is the program, WORK a folder for downloads (about 600 MB). Needs npm, pip, apt-get and dpkg-deb of Debian 12.
# Packages that are already in WORK are not downloaded again.
set -euo pipefail
whittle=$(realpath "$1") work=$2 models=$(realpath "$(dirname "$0")")
shift 2
mkdir -p "$work" && cd "$work" && mkdir -p npm wheel deb

npm_() { # npm packages
    for package; do
        folder=npm/${package//\//_}
        folders+=("$folder")
        [ -d "$folder" ] && continue
        archive=$(npm pack --silent "$package" | tail -1)
        mkdir "$folder" && tar -xzf "$archive" -C "$folder" --no-same-permissions && rm "$archive"
        chmod -R u+rwX "$folder"
    done
}

wheel() { # Python packages
    for package; do
        folders+=("wheel/$package")
        [ -d "wheel/$package" ] && continue
        pip download --quiet --no-deps --only-binary :all: --dest archives "$package"
        python3 -m zipfile -e archives/*.whl "wheel/$package" && rm archives/*.whl
    done
}

deb() { # Debian packages
    for package; do
        folders+=("deb/$package")
        [ -d "deb/$package" ] && continue
        apt-get -qq download "$package" 2> /dev/null
        dpkg-deb -x "$package"_*.deb "deb/$package" && rm "$package"_*.deb
    done
}

corpus() { # the packages for a language
    case $1 in
    bash) deb bash-completion autoconf dracut-core initramfs-tools-core lintian debhelper xdg-utils ;;
    c) npm_ libxmljs@1.0.11 node-expat@2.4.1 lz4@0.6.5 ;;
    cpp) npm_ re2@1.27.1 leveldown@6.1.1 node-sass@9.0.0 ;;
    css) npm_ bootstrap@5.3.8 bulma@1.0.4 jquery-ui@1.14.2 swagger-ui@5.33.0 reveal.js@6.0.2 font-awesome@4.7.0 ;;
    go)
        deb golang-1.19-src
        folders=(deb/golang-1.19-src/usr/share/go-1.19/src/{bufio,compress,crypto,encoding,go,net,text,time})
        ;;
    html) deb postgresql-doc-15 debian-policy debian-reference-en ;;
    java)
        deb openjdk-17-source
        [ -d java ] || python3 -m zipfile -e deb/openjdk-17-source/usr/lib/jvm/openjdk-17/lib/src.zip java
        folders=(java/java.base/java)
        ;;
    javascript)
        npm_ three@0.187.0
        folders=(npm/three@0.187.0/package/src)
        npm_ lodash@4.18.1 express@5.3.0 eslint@10.14.0 webpack@5.112.2 jquery@4.0.0 jquery-ui@1.14.2 fastify@5.12.8
        ;;
    json) npm_ eslint@10.14.0 webpack@5.112.2 three@0.187.0 swagger-ui@5.33.0 re2@1.27.1 libxmljs@1.0.11 ;;
    lua) deb prosody lua-penlight awesome ;;
    php) deb phpmyadmin php-symfony-http-kernel php-twig roundcube-core ;;
    python) wheel django==5.2.19 sympy==1.14.0 && deb libpython3.11-stdlib ;;
    ruby) deb libruby3.1 ruby-activerecord ruby-activesupport ruby-actionpack ruby-rspec-core ;;
    rust) deb librust-{syn,serde,regex,tokio,clap-3,nom,rayon-core}-dev ;;
    sql) deb postgresql-15 roundcube-core phpmyadmin && wheel sqlfluff==4.5.0 ;;
    toml) deb librust-{syn,serde,regex,tokio,clap-3,nom,rayon-core}-dev ;;
    tsx) npm_ ra-ui-materialui@5.0.0 @sanity/ui@2.16.23 ;;
    typescript) npm_ rxjs@7.8.2 zod@4.6.7 @reduxjs/toolkit@2.14.0 ;;
    xml) deb docbook-xsl shared-mime-info iso-codes ;;
    yaml) deb openapi-specification ansible-core && npm_ swagger-ui@5.33.0 eslint@10.14.0 ;;
    esac
}

all=(bash c cpp css go html java javascript json lua php python ruby rust sql toml tsx typescript xml yaml)
for language in "${@:-${all[@]}}"; do
    folders=()
    corpus "$language"
    "$whittle" learn --language "$language" --output "$language.model" "${folders[@]}"
    gzip -9 -n -c "$language.model" > "$models/$language.model.gz"
done
