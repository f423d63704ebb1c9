#!/bin/sh
# Makes the certificates of these tests anew: `sh make.sh` in this folder, with OpenSSL 3. Each file holds a key, which
# guards nothing, and what a server sends with it. All are valid until 2126, but for those whose name says otherwise.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index"
cat > "$work/ca.conf" <<CONF
[ca]
default_ca = here
[here]
new_certs_dir = $work
database = $work/index
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
CONF

key() { openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$work/$1.key"; }

# authority NAME SIGNER: an authority signed by another, or by itself.
authority() {
  key "$1"
  openssl req -new -key "$work/$1.key" -subj "/CN=Petstore test $1" -out "$work/$1.csr" \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign'
  sign "$1" "$2" 20260101000000Z 21260101000000Z
}

# leaf NAME SIGNER SUBJECT ALTERNATIVE_NAMES [NOT_BEFORE NOT_AFTER]
leaf() {
  key "$1"
  openssl req -new -key "$work/$1.key" -subj "/CN=$3" -out "$work/$1.csr" ${4:+-addext "subjectAltName=$4"}
  sign "$1" "$2" "${5:-20260101000000Z}" "${6:-21260101000000Z}"
}

# sign NAME SIGNER NOT_BEFORE NOT_AFTER
sign() {
  if [ "$1" = "$2" ]; then by="-selfsign"; else by="-cert $work/$2.crt"; fi
  openssl ca -batch -notext -config "$work/ca.conf" -keyfile "$work/$2.key" $by -in "$work/$1.csr" \
    -startdate "$3" -enddate "$4" -out "$work/$1.crt" 2> "$work/log" || { cat "$work/log"; exit 1; }
}

authority root root
authority intermediate root
leaf shop intermediate shop.example.test 'DNS:shop.example.test,DNS:*.example.test'
leaf platform intermediate platform.test 'DNS:*.platform.test,DNS:platform.test'
leaf stranger intermediate stranger.test 'DNS:stranger.test'
leaf common-name-only intermediate shop.example.test ''
leaf self-signed self-signed shop.example.test 'DNS:shop.example.test'
leaf loopback loopback localhost 'DNS:localhost,IP:127.0.0.1'
leaf expired-2021 intermediate shop.example.test 'DNS:shop.example.test' 20200101000000Z 20210101000000Z
leaf from-2120 intermediate shop.example.test 'DNS:shop.example.test' 21200101000000Z 21260101000000Z

cp "$work/root.crt" root.pem
for name in shop platform stranger common-name-only expired-2021 from-2120; do
  cat "$work/$name.key" "$work/$name.crt" "$work/intermediate.crt" > "$name.pem"
done
cat "$work/shop.key" "$work/shop.crt" > without-intermediate.pem
for name in self-signed loopback; do
  cat "$work/$name.key" "$work/$name.crt" > "$name.pem"
done
