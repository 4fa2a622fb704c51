#!/bin/bash
# Makes the subjects of the weighted_trees bench that are not in bench/subjects: packages.sh WORK
#
# Downloads public packages and puts C files (preprocessed by tcc, with a short header in place of those of the system) and
# XML files from them into WORK/subjects. Needs npm, tcc, apt-get and dpkg-deb of Debian 12. Packages that are already in
# WORK are not downloaded again.
set -euo pipefail
work=$1
mkdir -p "$work" && cd "$work" && mkdir -p subjects headers/sys

for package in lz4@0.6.5 node-expat@2.4.1; do
    [ -d "$package" ] && continue
    archive=$(npm pack --silent "$package" | tail -1)
    mkdir "$package" && tar -xzf "$archive" -C "$package" --no-same-permissions && rm "$archive"
done
for package in docbook-xsl iso-codes; do
    [ -d "$package" ] && continue
    apt-get -qq download "$package"
    dpkg-deb -x "$package"_*.deb "$package" && rm "$package"_*.deb
done

cat > headers/all.h << 'END'
#ifndef ALL_H
#define ALL_H
typedef unsigned long size_t;
typedef long ptrdiff_t, ssize_t, off_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t, uintptr_t;
typedef struct file FILE;
extern FILE *stdin, *stdout, *stderr;
extern int errno;
int printf(const char *, ...), fprintf(FILE *, const char *, ...), sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...), fputs(const char *, FILE *), puts(const char *), putchar(int);
FILE *fopen(const char *, const char *);
int fclose(FILE *), feof(FILE *), ferror(FILE *), fseek(FILE *, long, int), fileno(FILE *), remove(const char *);
long ftell(FILE *);
char *fgets(char *, int, FILE *), *strerror(int), *getenv(const char *);
size_t fread(void *, size_t, size_t, FILE *), fwrite(const void *, size_t, size_t, FILE *), strlen(const char *);
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), free(void *), exit(int), abort(void);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *), atoi(const char *);
int strncmp(const char *, const char *, size_t), rand(void), isatty(int);
char *strcpy(char *, const char *), *strchr(const char *, int), *strcat(char *, const char *);
char *strncat(char *, const char *, size_t), *strrchr(const char *, int), *strncpy(char *, const char *, size_t);
double pow(double, double), fabs(double), floor(double);
void perror(const char *), assert(int);
#define NULL ((void *)0)
#define SEEK_SET 0
#define SEEK_END 2
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define CHAR_BIT 8
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#endif
END
for name in assert ctype errno limits math stddef stdint stdio stdlib string unistd sys/types sys/stat float time; do
    cp headers/all.h "headers/$name.h"
done

c() { # FILE [OPTION...]
    tcc -E -P -nostdinc -I headers "${@:2}" -o "subjects/$(basename "$1")" "$1"
}
lz4=lz4@0.6.5/package/deps/lz4
expat=node-expat@2.4.1/package/deps/libexpat
for name in {blockStreaming_double,blockStreaming_ring,HCStreaming_ring}Buffer dictionaryRandomAccess frameCompress simple_buffer; do
    c "$lz4/examples/$name.c" -I "$lz4/lib"
done
touch headers/expat_config.h
for name in xmlwf/xmlmime tests/chardata; do
    c "$expat/$name.c" -I "$expat/lib" -DXML_NS -DXML_DTD
done

docbook=docbook-xsl/usr/share/xml/docbook/stylesheet/docbook-xsl
for name in common/subtitles common/utility common/targets fo/toc fo/ebnf fo/footnote fo/callout html/index html/math website/olink; do
    cp "$docbook/$name.xsl" "subjects/${name##*/}.xml"
done
cp "$docbook/highlighting/delphi-hl.xml" iso-codes/usr/share/xml/iso-codes/iso_15924.xml subjects
