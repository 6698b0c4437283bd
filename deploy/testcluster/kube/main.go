// One binary with every Kubernetes part that the deployment tests need; the first argument chooses.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	said "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	kcm "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: kall COMPONENT [flags]")
		os.Exit(2)
	}
	name := os.Args[1]
	os.Args = append([]string{name}, os.Args[2:]...)
	if name == "kube-proxy" {
		// CoreDNS registers a flag -version of its own there, which kube-proxy does not survive.
		flag.CommandLine = flag.NewFlagSet(name, flag.ExitOnError)
	}
	switch name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(kcm.NewControllerManagerCommand()))
	case "kube-scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case "kubelet":
		os.Exit(cli.Run(kubelet.NewKubeletCommand(context.Background())))
	case "kube-proxy":
		os.Exit(cli.Run(proxy.NewProxyCommand()))
	case "kubectl":
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			// Says it as kubectl does, and ends with its exit code.
			said.CheckErr(err)
		}
	case "coredns":
		dnsserver.Directives = []string{"bind", "errors", "health", "kubernetes"}
		coremain.Run()
	case "relay":
		os.Exit(relay(os.Args[1:]))
	default:
		fmt.Fprintln(os.Stderr, "unknown component", name)
		os.Exit(2)
	}
}

// relay passes connections on, each side a TCP address or a unix socket. Unix sockets are reached from every network
// namespace, so one relay inside the cluster's namespace and one outside of it make a way in without touching a
// route or a rule of the machine.
func relay(args []string) int {
	flags := flag.NewFlagSet("relay", flag.ExitOnError)
	listen := flags.String("listen", "", "tcp:HOST:PORT (port 0: any free one) or unix:PATH")
	dial := flags.String("dial", "", "tcp:HOST:PORT or unix:PATH")
	_ = flags.Parse(args)
	fromNetwork, fromAddress, fromOk := endpoint(*listen)
	toNetwork, toAddress, toOk := endpoint(*dial)
	if !fromOk || !toOk || flags.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: kall relay --listen ADDRESS --dial ADDRESS, ADDRESS is tcp:HOST:PORT or unix:PATH")
		return 2
	}
	listener, err := net.Listen(fromNetwork, fromAddress)
	if err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		return 1
	}
	// Whoever asked for any free port reads here which one it is.
	fmt.Printf("listening %s\n", listener.Addr())
	for {
		client, err := listener.Accept()
		if err != nil {
			// Too few file descriptors, say: those that are connected stay, and it may pass.
			fmt.Fprintln(os.Stderr, "relay:", err)
			time.Sleep(100 * time.Millisecond)
			continue
		}
		go func() {
			server, err := net.DialTimeout(toNetwork, toAddress, 10*time.Second)
			if err != nil {
				fmt.Fprintln(os.Stderr, "relay:", err)
				_ = client.Close()
				return
			}
			join(client, server)
		}()
	}
}

func endpoint(text string) (network, address string, ok bool) {
	network, address, ok = strings.Cut(text, ":")
	return network, address, ok && address != "" && (network == "tcp" || network == "unix")
}

// join copies both ways until both ways have ended. The end of one way is passed on as an end of that way only,
// whoever still answers is heard; a failure ends both.
func join(a, b net.Conn) {
	var both sync.WaitGroup
	both.Add(2)
	oneWay := func(to, from net.Conn) {
		defer both.Done()
		_, err := io.Copy(to, from)
		if err == nil {
			err = to.(interface{ CloseWrite() error }).CloseWrite()
		}
		if err != nil {
			_ = a.Close()
			_ = b.Close()
		}
	}
	go oneWay(a, b)
	oneWay(b, a)
	both.Wait()
	_ = a.Close()
	_ = b.Close()
}
